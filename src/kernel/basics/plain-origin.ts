// Whether an origin can be used unchanged in a content security policy. The host of a URL may
// contain `;`, `,`, `'` and `*`, which would end a directive, start another policy or open it to
// all hosts.
export function isPlainOrigin(origin: string): boolean {
  return /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/.test(origin)
}
