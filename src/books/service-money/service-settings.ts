// Whether and how the money of the payment service is booked by itself.
export type ServiceSettings = {
  readonly isOn: boolean
  // What moved before is left to people.
  readonly since: Date
  // How far movements were taken down; `take-movements.ts` says how.
  readonly lookFrom: string
  readonly lookedBackAt: Date
  readonly unassignedAccountId: string
  readonly shareAccountId: string
  readonly payoutAccountId: string
}

// Who posts what is booked by itself. Nobody else goes by this name: the entries of a movement are
// told by it.
export const serviceActorName = 'payment service'
