export const serviceMoneyPath = '/service-money'

export const assignPath = (paymentId: string) => `${serviceMoneyPath}/${paymentId}/assign`

// Whether and how it is posted automatically.
export const settingsPath = '/settings/service-money'
