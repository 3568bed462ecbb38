// Why a payment did not go through, in English.
export const englishReasons = {
  abandoned: 'The time to pay ran out.',
  cancelledByPayer: 'You cancelled the payment.',
  notAccepted: 'The payment provider did not accept it.',
  otherCurrency: 'It was paid in another currency.',
  tooLittle: 'It was less than the amount due.',
  notEnoughMoney: 'There was not enough money in your account.',
  cardExpired: 'Your card has expired.',
  aboveLimit: 'The amount is above the limit of your card or account.',
  notConfirmedByBank: 'Your bank could not confirm that it was you.',
  noAnswer: 'Your bank did not answer in time.',
  cancelled: 'The payment was cancelled.',
  declined: 'Your bank declined the payment.',
}
