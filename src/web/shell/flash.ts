// A message that the next page shows once: what a form did. It travels in a cookie, so that two
// processes need no shared memory. It is shown as text, never as HTML, and holds no secret.
const cookieName = 'tillbook.flash'
const lifeSeconds = 60

export function setFlash(publicUrl: string, text: string): string {
  const value = Buffer.from(text, 'utf8').toString('base64url')
  return cookie(publicUrl, value, lifeSeconds)
}

export function clearFlash(publicUrl: string): string {
  return cookie(publicUrl, '', 0)
}

export function readFlash(headers: Headers): string | undefined {
  const cookies = headers.get('cookie')?.split(/; ?/) ?? []
  const found = cookies.find((one) => one.startsWith(`${cookieName}=`))
  if (!found) return undefined
  const text = Buffer.from(found.slice(cookieName.length + 1), 'base64url').toString('utf8')
  return text === '' ? undefined : text
}

function cookie(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}
