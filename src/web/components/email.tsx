// An e-mail address, which breaks before its @ rather than within a word.
export function Email({ of }: { of: string }) {
  const at = of.lastIndexOf('@')
  return (
    <>
      {of.slice(0, Math.max(at, 0))}
      <wbr />
      {of.slice(Math.max(at, 0))}
    </>
  )
}
