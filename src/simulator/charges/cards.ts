// The provider's published test cards and their outcomes. Other numbers are refused before they are
// stored, so that no real card number ends up in the simulator.
export type CardWay = 'pin' | '3ds' | 'address' | 'none'

export type TestCard = {
  readonly number: string
  // The name used by tests.
  readonly name: string
  // The text on the payer's page.
  readonly title: string
  readonly way: CardWay
  readonly declines?: string
  readonly type: 'MASTERCARD' | 'VISA' | 'VERVE'
  readonly expiry: string
  readonly cvv: string
}

export const testPin = '3310'
export const testOtp = '12345'

export const testCards: readonly TestCard[] = [
  {
    number: '5531886652142950',
    name: 'pin',
    title: 'Succeeds, with PIN and one-time code',
    way: 'pin',
    type: 'MASTERCARD',
    expiry: '09/32',
    cvv: '564',
  },
  {
    number: '5438898014560229',
    name: '3ds',
    title: 'Succeeds, with 3-D Secure',
    way: '3ds',
    type: 'MASTERCARD',
    expiry: '10/31',
    cvv: '564',
  },
  {
    number: '4187427415564246',
    name: 'visa_3ds',
    title: 'Succeeds, with 3-D Secure',
    way: '3ds',
    type: 'VISA',
    expiry: '09/32',
    cvv: '828',
  },
  {
    number: '5061460410120223210',
    name: 'verve_pin',
    title: 'Succeeds, with PIN and one-time code',
    way: 'pin',
    type: 'VERVE',
    expiry: '10/31',
    cvv: '780',
  },
  {
    number: '5061460166976054667',
    name: 'no_auth',
    title: 'Succeeds at once',
    way: 'none',
    type: 'VERVE',
    expiry: '10/29',
    cvv: '564',
  },
  {
    number: '4556052704172643',
    name: 'address',
    title: 'Succeeds, with the billing address',
    way: 'address',
    type: 'VISA',
    expiry: '09/32',
    cvv: '899',
  },
  {
    number: '5377283645077450',
    name: 'preauthorised',
    title: 'Succeeds at once (pre-authorised)',
    way: 'none',
    type: 'MASTERCARD',
    expiry: '09/31',
    cvv: '789',
  },
  {
    number: '5258585922666506',
    name: 'insufficient_funds',
    title: 'Declined: insufficient funds',
    way: 'none',
    declines: 'Insufficient Funds',
    type: 'MASTERCARD',
    expiry: '09/31',
    cvv: '883',
  },
  {
    number: '5143010522339965',
    name: 'do_not_honour',
    title: 'Declined: do not honour',
    way: 'none',
    declines: 'Do Not Honour',
    type: 'MASTERCARD',
    expiry: '08/32',
    cvv: '276',
  },
  {
    number: '5590131743294314',
    name: 'fraudulent',
    title: 'Declined: fraudulent',
    way: 'none',
    declines: 'Suspected Fraud',
    type: 'MASTERCARD',
    expiry: '11/32',
    cvv: '887',
  },
  {
    number: '5399834697894723',
    name: 'incorrect_pin',
    title: 'Declined: incorrect PIN',
    way: 'pin',
    declines: 'Incorrect PIN',
    type: 'MASTERCARD',
    expiry: '09/31',
    cvv: '883',
  },
]

// By number, blanks allowed, or by name.
export function findCard(text: string): TestCard | undefined {
  const number = text.replaceAll(/[\s-]/g, '')
  return testCards.find((card) => card.number === number || card.name === text)
}

export const authModels: Record<CardWay, string> = {
  pin: 'PIN',
  '3ds': 'VBVSECURECODE',
  address: 'AVS_VBVSECURECODE',
  none: 'NOAUTH',
}
