// What payers read, in French.
import type { PayerTexts } from './english.ts'
import { frenchMails } from './french-mails.ts'
import { frenchOrders } from './french-orders.ts'
import { frenchReasons } from './french-reasons.ts'
import { frenchReceipts } from './french-receipts.ts'
import { frenchSubscriber } from './french-subscriber.ts'

export const french: PayerTexts = {
  terms: 'Conditions générales',
  privacy: 'Confidentialité',
  poweredBy: 'Paiements par Tillbook',
  languages: 'Langue',
  testMode: { label: 'Mode test :', text: 'aucun argent réel n’est échangé.' },
  demonstration: {
    label: 'Démonstration :',
    text: 'ce paiement est simulé. Aucun argent réel n’est échangé.',
  },

  pay: {
    payTo: 'Payer à',
    paymentTo: (merchant) => `Paiement à ${merchant}`,
    pay: 'Payer',
    payAmount: (amount) => `Payer ${amount}`,
    amountIn: (currency) => `Montant en ${currency}`,
    canChange: 'Vous pouvez le modifier.',
    canPayPart: 'Tout ce qui est dû. Vous pouvez en payer une partie.',
    email: 'Votre adresse e-mail',
    emailHint: 'Le prestataire de paiement en a besoin pour le reçu.',
    secure: (merchant) =>
      'Vous payez sur la page sécurisée du prestataire de paiement. ' +
      `${merchant} ne voit jamais votre carte.`,
    preview: (merchant) => `Payer à ${merchant}.`,
    previewAmount: (amount, merchant) => `Payer ${amount} à ${merchant}.`,
    subscription: (amount, interval, merchant) =>
      `${amount} ${interval} jusqu’à résiliation. Pour résilier, contactez ${merchant}. ` +
      'Le prestataire de paiement enregistre votre carte et la débite à chaque échéance.',
    every: {
      day: (count) => (count === 1 ? 'par jour' : `tous les ${count} jours`),
      week: (count) => (count === 1 ? 'par semaine' : `toutes les ${count} semaines`),
      month: (count) => (count === 1 ? 'par mois' : `tous les ${count} mois`),
      year: (count) => (count === 1 ? 'par an' : `tous les ${count} ans`),
    },
    pressAgain: 'Rien n’a été débité. Veuillez appuyer de nouveau sur Payer.',
    unreachable:
      'Le prestataire de paiement ne répond pas. Rien n’a été débité. Veuillez réessayer.',
  },

  problems: {
    emailMissing: 'Saisissez votre adresse e-mail.',
    emailWrong: 'Cette adresse e-mail est incomplète. Exemple : nom@example.com.',
    figures: (example) => `Saisissez le montant en chiffres, par exemple ${example}.`,
    wholeNumber: (currency) => `${currency} n’a pas de décimales : saisissez un nombre entier.`,
    decimals: (currency, decimals, example) =>
      `${currency} a ${decimals} décimales : saisissez par exemple ${example}.`,
    aboveZero: 'Saisissez un montant supérieur à zéro.',
    atMost: (amount) => `Saisissez au plus ${amount}.`,
  },

  closed: {
    expired: {
      title: 'Ce lien a expiré',
      text: 'Il ne peut plus être payé. Demandez un nouveau lien. Rien n’a été débité.',
    },
    disabled: {
      title: 'Ce paiement n’est plus possible',
      text: 'Il a été désactivé. Demandez-en un nouveau. Rien n’a été débité.',
    },
    used: { title: 'Déjà payé', text: 'Ce code ne peut être utilisé qu’une fois.' },
    taken: {
      title: 'Un autre paiement est en cours',
      text: 'Ce code ne peut être utilisé qu’une fois. Si ce paiement échoue, vous pourrez payer ici.',
    },
    closed: {
      title: 'Les paiements ne sont pas disponibles',
      text: 'Cette entreprise ne peut pas recevoir de paiements pour le moment. Rien n’a été débité.',
    },
    soldOut: { title: 'Épuisé', text: 'Il ne reste rien à acheter. Rien n’a été débité.' },
    paid: { title: 'Cette facture est payée', text: 'Il ne reste rien à payer.' },
    offline: {
      title: 'Cette facture ne peut pas être payée en ligne',
      text: 'Payez-la d’une autre façon, ou demandez comment la payer.',
    },
  },
  closedInvoice: {
    disabled: { title: 'Cette facture est annulée', text: 'Vous n’avez pas à la payer.' },
    taken: {
      title: 'Cette facture ne peut pas être payée maintenant',
      text: 'Elle vient d’être payée ou retirée. Rien n’a été débité. Rouvrez-la pour voir.',
    },
  },
  closedSubscription: {
    disabled: { title: 'Cet abonnement est terminé', text: 'Vous ne serez plus débité.' },
    used: { title: 'Aucun paiement n’est dû', text: 'Cet abonnement est payé.' },
    taken: {
      title: 'Un paiement est en cours',
      text: 'Si ce paiement échoue, vous pourrez de nouveau payer ici.',
    },
  },
  paused: {
    title: 'Les paiements sont suspendus',
    text: (moment) =>
      `Une maintenance est en cours. Veuillez revenir après le ${moment}. Rien n’a été débité.`,
  },
  unknown: {
    title: 'Cette page est inconnue',
    text:
      'Vérifiez que vous avez l’adresse complète, jusqu’à la dernière lettre. Si elle ne ' +
      'fonctionne toujours pas, demandez-en une nouvelle à l’entreprise qui vous l’a envoyée. ' +
      'Rien n’a été débité.',
  },
  tryAgain: 'Réessayer',

  ends: {
    paid: 'Payé',
    notPaid: 'Non payé',
    waiting: 'En attente de votre banque',
    refunded: 'Remboursé',
    partlyRefunded: 'Partiellement remboursé',
    paidThanks: 'Payé. Merci !',
    paidPartlyRefunded: 'Payé, puis partiellement remboursé',
    wasRefunded: 'Votre paiement a été remboursé',
    wholeRefunded: (merchant) =>
      `${merchant} a remboursé la totalité. L’argent peut mettre quelques jours à arriver sur ` +
      'votre compte.',
    partRefunded: (merchant, amount) =>
      `${merchant} en a remboursé ${amount}. L’argent peut mettre quelques jours à arriver sur ` +
      'votre compte.',
    canClose: 'Vous pouvez fermer cette page.',
    excess: (amount) => `Vous avez payé ${amount} de trop.`,
    excessKept: (merchant) =>
      'Le remboursement n’a pas encore abouti. Veuillez contacter ' +
      `${merchant} en indiquant le numéro de paiement ci-dessous.`,
    excessReturned: 'Cette somme a été remboursée, ce qui peut prendre quelques jours.',
    excessGoingBack:
      'Cette somme est en cours de remboursement, ce qui peut prendre quelques jours.',
    nothingCharged: 'Rien n’a été débité.',
    goingBack:
      'Votre argent est arrivé ensuite. Il est en cours de remboursement, ce qui peut prendre ' +
      'quelques jours. Vous n’avez rien à faire.',
    onHold: (merchant) =>
      'Votre argent est arrivé, mais il ne correspond pas au paiement. Il est mis en attente. ' +
      `Veuillez contacter ${merchant} en indiquant le numéro de paiement ci-dessous. ` +
      'Ne payez pas de nouveau avant d’avoir une réponse.',
    notConfirmed:
      'Le paiement n’est pas encore confirmé. Cette page s’actualise d’elle-même. Vous pouvez la ' +
      'fermer : votre paiement se poursuivra.',
    checkAgain: 'Vérifier maintenant',
    notFinished: 'Pas terminé ?',
    goBack: 'Revenir à la page de paiement',
  },
  facts: {
    from: 'De',
    to: 'À',
    for: 'Objet',
    amount: 'Montant',
    refunded: 'Remboursé',
    paidOn: 'Payé le',
    startedOn: 'Commencé le',
    refundedOn: 'Remboursé le',
    payment: 'Paiement',
    method: 'Moyen de paiement',
    reference: 'Référence',
    paymentId: 'N° de paiement',
  },
  ...frenchMails,
  subscriber: frenchSubscriber,
  ...frenchOrders,
  ...frenchReceipts,

  reasons: frenchReasons,

  invoice: {
    title: (number) => `Facture ${number}`,
    status: {
      open: 'À payer',
      partly_paid: 'Partiellement payée',
      overdue: 'En retard',
      paid: 'Payée',
      void: 'Annulée',
    },
    dueOn: (day) => `échéance le ${day}`,
    changed:
      'Le montant dû a changé. Rien n’a été débité. Vérifiez-le et appuyez de nouveau sur Payer.',
    see: 'Voir la facture',
    unconfirmed: (amount) =>
      `Un paiement de ${amount} est en cours de confirmation. Ne payez pas deux fois.`,
    unconfirmedToo: (amount) =>
      `Un autre paiement de ${amount} est en cours de confirmation. S’il aboutit, il vous est crédité.`,
    otherWays: 'Autres moyens de paiement',
    download: 'Télécharger en PDF',
    for: 'Facturé à',
    date: 'Date',
    dueDate: 'Échéance',
    reference: 'Référence',
    items: 'Contenu',
    description: 'Désignation',
    net: 'Net',
    subtotal: 'Sous-total',
    total: 'Total',
    settled: 'Payé ou crédité',
    due: 'Reste dû',
  },

  quote: {
    title: (number) => `Devis ${number}`,
    titleFrom: (number, organisation) => `Devis ${number} de ${organisation}`,
    error: 'Erreur :',
    sandbox: 'ce devis est un test et n’engage à rien.',
    validUntil: (day) => `valable jusqu’au ${day}`,
    acceptedBy: (name) => `Accepté par ${name}.`,
    accepted: 'Accepté.',
    acceptedNext: (organisation) => `Merci. ${organisation} en a été informé et vous contactera.`,
    declinedBy: (name) => `Refusé par ${name}.`,
    declined: 'Refusé.',
    declinedNext: (organisation) => `${organisation} en a été informé.`,
    expired: 'Ce devis ne peut plus être accepté.',
    expiredNext: (organisation) => `Demandez-en un nouveau à ${organisation}.`,
    preparedFor: 'Pour',
    date: 'Date',
    reference: 'Référence',
    taxNumber: (number) => `Numéro fiscal ${number}`,
    items: (currency) => `Lignes du devis, en ${currency}`,
    description: 'Désignation',
    quantity: 'Quantité',
    price: 'Prix',
    net: 'Net',
    less: (percent) => `moins ${percent} %`,
    subtotal: 'Sous-total',
    totalIn: (currency) => `Total en ${currency}`,
    download: 'Télécharger en PDF',
    answer: 'Votre réponse',
    name: 'Votre nom',
    nameMissing: 'Saisissez votre nom.',
    tooLong: (max) => `Au plus ${max} caractères, sur une ligne.`,
    accept: 'Accepter ce devis',
    declineInstead: 'Refuser',
    reason: 'Motif',
    reasonHint: 'Aide l’expéditeur à améliorer son offre.',
    decline: 'Refuser ce devis',
  },
}
