// Where the databases of a test run are: in memory if the machine has room. A run creates and drops
// hundreds of databases, and most of that cost is the cost of their files.
import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const sharedMemory = '/dev/shm'
// A run needs a tenth of it; containers often have only 64 MB.
const bytesNeeded = 2 * 1024 ** 3

export function memoryDirectory(): string {
  if (!existsSync(sharedMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(sharedMemory)
  return bavail * bsize >= bytesNeeded ? sharedMemory : tmpdir()
}
