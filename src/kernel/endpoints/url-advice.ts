// Explains why the form of a URL was refused. The check itself is in `egress-url`.
export function urlAdvice(text: string): string {
  if (/\s/.test(text)) {
    return 'Must not contain spaces or line breaks. Write a space as %20.'
  }
  const [, authority] = /^https:\/\/([^/?#]*)/i.exec(text) ?? []
  if (authority === undefined) return 'Must start with https://.'
  if (authority.includes('@')) {
    return 'Must not contain a user name or password. A token can be in the path or the query.'
  }
  if (!/^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i.test(text)) {
    return (
      'Contains characters that are not allowed. Write those of the host as xn--…, and all ' +
      'others as %XX.'
    )
  }
  const [, port] = /:([^:\]]*)$/.exec(authority) ?? []
  if (port !== undefined && !isPort(port)) {
    return 'The port must be a number from 1 to 65535. The default is 443.'
  }
  return 'Must be an address like https://hooks.example.com/path.'
}

function isPort(text: string): boolean {
  return /^\d*$/.test(text) && (text === '' || (Number(text) >= 1 && Number(text) <= 65_535))
}
