// What the set-up page asks for, and what can come of it. The program above the pages does the
// work: it knows both services.
export type SetUpInput = {
  readonly code: string
  readonly businessName: string
  readonly country: string
  readonly currency: string
  readonly timeZone: string
  readonly ownerName: string
  readonly ownerEmail: string
  readonly password: string
}

export type SetUpOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly problems: Readonly<Record<string, string>> }
  | { readonly kind: 'too_many_tries'; readonly retryAfterSeconds: number }
  // Someone else was faster.
  | { readonly kind: 'over' }

export type SetUp = {
  isNeeded(): Promise<boolean>
  submit(address: string, input: SetUpInput): Promise<SetUpOutcome>
}
