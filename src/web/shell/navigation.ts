// The places of the application, in the order of the navigation. A place is shown to the people who
// may open its page.
import type { IconName } from '../components/icon.tsx'

export type Place = {
  readonly label: string
  readonly path: string
  readonly icon: IconName
}

export type PlaceGroup = { readonly title: string | undefined; readonly places: readonly Place[] }

export const placeGroups: readonly PlaceGroup[] = [
  {
    title: undefined,
    places: [
      { label: 'Home', path: '/', icon: 'home' },
      { label: 'Approvals', path: '/approvals', icon: 'check' },
    ],
  },
  {
    title: 'Payments',
    places: [
      { label: 'Payments', path: '/payments', icon: 'card' },
      { label: 'Customers', path: '/customers', icon: 'person' },
      { label: 'Payment links', path: '/payment-links', icon: 'link' },
      { label: 'QR codes', path: '/qr-codes', icon: 'qr' },
      { label: 'Subscriptions', path: '/subscriptions', icon: 'repeat' },
      { label: 'Recipients', path: '/recipients', icon: 'people' },
      { label: 'Payouts', path: '/payouts', icon: 'bank' },
      { label: 'Settlements', path: '/settlements', icon: 'list' },
      { label: 'Disputes', path: '/disputes', icon: 'shield' },
      { label: 'Discrepancies', path: '/discrepancies', icon: 'alert' },
    ],
  },
  {
    title: 'Books',
    places: [
      { label: 'Invoices', path: '/invoices', icon: 'document' },
      { label: 'Quotes', path: '/quotes', icon: 'offer' },
      { label: 'Leads', path: '/leads', icon: 'board' },
      { label: 'Bills', path: '/bills', icon: 'receipt' },
      { label: 'Recurring', path: '/recurring', icon: 'repeat' },
      { label: 'Contacts', path: '/contacts', icon: 'people' },
      { label: 'Items', path: '/items', icon: 'box' },
      { label: 'Accounts', path: '/accounts', icon: 'grid' },
      { label: 'Journal', path: '/journal', icon: 'list' },
      { label: 'Reports', path: '/reports', icon: 'chart' },
    ],
  },
  {
    title: 'Business',
    places: [
      { label: 'Developers', path: '/developers', icon: 'code' },
      { label: 'Settings', path: '/settings', icon: 'settings' },
    ],
  },
]

// The place to which a path belongs: the one with the longest matching path.
export function placeOf(path: string): Place | undefined {
  const places = placeGroups.flatMap((group) => group.places)
  const matching = places.filter((place) => isBelow(path, place.path))
  return matching.toSorted((left, right) => right.path.length - left.path.length)[0]
}

function isBelow(path: string, base: string): boolean {
  if (base === '/') return path === '/'
  return path === base || path.startsWith(`${base}/`)
}
