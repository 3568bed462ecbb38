// How a tax is called next to an amount: many are named by their rate, which is not said twice.
export function taxLabel(name: string, rate: string): string {
  const saysRate = name.replaceAll(/\s/g, '').replaceAll(',', '.').includes(`${rate}%`)
  return saysRate ? name : `${name} ${rate} %`
}
