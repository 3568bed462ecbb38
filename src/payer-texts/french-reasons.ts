// Why a payment did not go through, in French.
import type { englishReasons } from './english-reasons.ts'

export const frenchReasons: typeof englishReasons = {
  abandoned: 'Le délai de paiement est dépassé.',
  cancelledByPayer: 'Vous avez annulé le paiement.',
  notAccepted: 'Le prestataire de paiement ne l’a pas accepté.',
  otherCurrency: 'Il a été payé dans une autre devise.',
  tooLittle: 'Il était inférieur au montant dû.',
  notEnoughMoney: 'Votre compte n’était pas suffisamment approvisionné.',
  cardExpired: 'Votre carte a expiré.',
  aboveLimit: 'Le montant dépasse le plafond de votre carte ou de votre compte.',
  notConfirmedByBank: 'Votre banque n’a pas pu confirmer votre identité.',
  noAnswer: 'Votre banque n’a pas répondu à temps.',
  cancelled: 'Le paiement a été annulé.',
  declined: 'Votre banque a refusé le paiement.',
}
