// What every page of the site shares. The kernel knows the frame; what stands in it is passed in.
import type { Assets } from './assets.ts'

export type SiteLink = { readonly href: string; readonly text: string }

export type Site = {
  readonly publicUrl: string
  readonly assets: Assets
  readonly nav: readonly SiteLink[]
  // The one thing most visitors come for, shown as a button beside the navigation.
  readonly action: SiteLink
  // The same for a visitor who is signed in.
  readonly signedInAction: SiteLink
  readonly footer: string
}

export const siteName = 'Tillbook'
