import type { Visit } from '../shell/visit.ts'

export function customerHref(visit: Visit, email: string): string {
  return visit.href(`/customers/${encodeURIComponent(email.toLowerCase())}`)
}

type LinkProps = { visit: Visit; email: string; name: string | null }

export function CustomerLink({ visit, email, name }: LinkProps) {
  return <a href={customerHref(visit, email)}>{name ?? email}</a>
}
