// How a tax is called next to an amount: many are named by their rate, which is not said twice.
export function taxLabel(name: string, rate: string): string {
  const plain = name.replaceAll(/\s/g, '').replaceAll(',', '.')
  const said = [...plain.matchAll(/[\d.]+(?=%)/g)].map(([number]) => number)
  return said.includes(rate) ? name : `${name} ${rate} %`
}
