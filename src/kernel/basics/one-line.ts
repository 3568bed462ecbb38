// Text for one line, such as a name: no line break of any kind, no tab, nothing that cannot be seen
// or stored. It goes into lists, logs and headers, where a line break would make a second entry.
export function isOneLine(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}
