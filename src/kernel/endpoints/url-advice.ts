// Says what is wrong with a URL that was refused for its form. The check itself is in `egress-url`.
export function urlAdvice(text: string): string {
  if (/\s/.test(text)) {
    return 'Must have no spaces or line breaks; write a space that belongs there as %20.'
  }
  const [, authority] = /^https:\/\/([^/?#]*)/i.exec(text) ?? []
  if (authority === undefined) return 'Must begin with https://.'
  if (authority.includes('@')) {
    return 'Must be without a user name or password; a token may stand in the path or the query.'
  }
  if (!/^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i.test(text)) {
    return (
      'Has characters that an address cannot have; write those of the host as xn--…, and all ' +
      'others as %XX.'
    )
  }
  const [, port] = /:([^:\]]*)$/.exec(authority) ?? []
  if (port !== undefined && !isPort(port)) {
    return 'The port must be a number from 1 to 65535; without one it is 443.'
  }
  return 'Must be an address like https://hooks.example.com/path.'
}

function isPort(text: string): boolean {
  return /^\d*$/.test(text) && (text === '' || (Number(text) >= 1 && Number(text) <= 65_535))
}
