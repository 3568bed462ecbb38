// What the page of a subscriber says, in French.
import type { englishSubscriber } from './english-subscriber.ts'

export const frenchSubscriber: typeof englishSubscriber = {
  yourSubscription: 'Votre abonnement chez',
  status: {
    incomplete: 'Pas commencé',
    active: 'Actif',
    past_due: 'Paiement échoué',
    cancelled: 'Terminé',
  },
  nextCharge: 'Prochain débit',
  nextRetry: 'Prochain essai',
  endsOn: 'Prend fin le',
  endedOn: 'Terminé le',
  price: 'Prix',
  card: 'Carte',
  noCard: 'Aucune',
  start: 'Votre abonnement commence dès que la première période est payée.',
  payFirst: 'Payer la première période',
  charging: 'Un paiement est en cours. Cela peut prendre quelques minutes.',
  invoiced: (amount) =>
    `Vous recevez une facture pour chaque période. Elle est débitée de votre carte dès son envoi, ` +
    `au plus ${amount}. Résiliez votre abonnement pour arrêter cela.`,
  failed: (day) =>
    `Votre carte n’a pas pu être débitée. Un nouvel essai aura lieu le ${day}. Vous pouvez aussi ` +
    'payer maintenant, avec cette carte ou une autre, qui servira alors aux prochains paiements.',
  payNow: 'Payer maintenant',
  ending: (day) =>
    `Votre abonnement est résilié. Il prend fin le ${day} et vous ne serez plus débité.`,
  ended: 'Vous ne serez plus débité.',
  changeCard: 'Changer de carte',
  cancel: 'Résilier l’abonnement',
  payments: 'Paiements',
  noPayments: 'Il n’y a pas encore de paiement.',
  receipt: 'Reçu',
  older: 'Paiements plus anciens',
  newest: 'Paiements récents',
  back: 'Retour à votre abonnement',
  paymentStatus: {
    pending: 'Non terminé',
    processing: 'En cours',
    succeeded: 'Payé',
    partially_refunded: 'Partiellement remboursé',
    refunded: 'Remboursé',
    failed: 'Échoué',
    cancelled: 'Annulé',
  },

  cardTitle: 'Changer de carte',
  cardNow: (card) => `Votre carte actuelle : ${card}.`,
  cardCheck: (amount) =>
    `Pour vérifier la nouvelle carte, ${amount} sont débités et aussitôt remboursés. Ce n’est pas un ` +
    'paiement de votre abonnement.',
  cardStays: 'Votre carte actuelle reste en place jusqu’à ce que la nouvelle fonctionne.',
  cardContinue: 'Continuer',
  cardSecure: (merchant) =>
    'Vous saisissez la carte sur la page sécurisée du prestataire de paiement. ' +
    `${merchant} ne la voit jamais.`,
  cardTaken: 'Une carte est en cours de vérification. Patientez un instant, puis réessayez.',
  cardChanged: 'Votre carte a été changée',
  cardChangedText: (amount) =>
    `Les prochains paiements y seront débités. Les ${amount} de la vérification vous sont ` +
    'remboursés, ce qui peut prendre quelques jours.',
  cardNotKept: 'Cette carte ne peut pas être utilisée',
  cardNotKeptText: (amount) =>
    'Elle ne peut pas être débitée de nouveau plus tard : votre carte actuelle reste en place. Les ' +
    `${amount} de la vérification vous sont remboursés.`,
  cardLate: (amount) =>
    'Votre abonnement est terminé, ou vous avez choisi une autre carte entre-temps. Les ' +
    `${amount} de la vérification vous sont remboursés.`,
  cardDeclined: 'Votre carte n’a pas été changée',
  cardDeclinedText: 'Votre carte actuelle reste en place.',

  cancelTitle: 'Résilier votre abonnement ?',
  cancelWhen: 'Quand doit-il prendre fin ?',
  cancelAtEnd: (day) => `Le ${day}, à la fin de la période que vous avez payée`,
  cancelNow: 'Maintenant',
  cancelNowText: 'Il prend fin maintenant et vous ne serez plus débité.',
  cancelText: 'Rien n’est remboursé.',
  cancelCharging: 'Un paiement est en cours. Il peut encore aboutir.',
  cancelConfirm: 'Résilier l’abonnement',
  keep: 'Garder mon abonnement',
  cancelBusy: 'Un paiement vient de commencer. Rien n’a encore changé. Réessayez dans un instant.',
}
