// Loaded before the service where it runs on the machine's own Node (`node --import`), so that a
// Node that is too old gets one clear line instead of a syntax error.
const oldestNode = 24

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  console.error(`The service needs Node ${oldestNode} or newer, and this is ${process.version}.`)
  process.exit(1)
}
