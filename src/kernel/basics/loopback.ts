// The names and addresses by which a machine reaches itself.
const loopback = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

// As in a URL: an IPv6 address is in brackets.
export function isLoopbackHost(hostname: string): boolean {
  return loopback.test(hostname)
}

export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname)
}
