// What mails to payers say, in French.
import type { englishMails } from './english-mails.ts'

export const frenchMails: typeof englishMails = {
  methods: {
    card: 'Carte',
    account: 'Compte bancaire',
    bank_transfer: 'Virement',
    ussd: 'USSD',
    mobilemoney: 'Argent mobile',
  },

  receipt: {
    subject: (merchant, amount) => `Votre reçu de ${merchant} : ${amount}`,
    heading: (amount) => `Vous avez payé ${amount}`,
    text: (merchant) => `Merci. ${merchant} a reçu votre paiement.`,
    see: 'Voir votre reçu',
    manage: 'Changer de carte ou résilier',
  },
  subscriptionStart: {
    subject: (merchant, plan) => `Votre abonnement chez ${merchant} : ${plan}`,
    heading: 'Votre abonnement a commencé',
    text: (merchant) =>
      `Merci de vous être abonné chez ${merchant}. Sur votre page, vous voyez tous les paiements, ` +
      'changez de carte et résiliez à tout moment. Gardez cette adresse pour vous.',
    manage: 'Voir votre abonnement',
  },
  failedRenewal: {
    subject: (merchant, plan) => `Paiement échoué de votre abonnement chez ${merchant} : ${plan}`,
    heading: (amount) => `Nous n’avons pas pu débiter ${amount} de votre carte`,
    text: (day) =>
      `Un nouvel essai aura lieu le ${day}. Si la carte n’est plus valable, changez-la avant, ou ` +
      'payez maintenant.',
    change: 'Changer de carte ou payer',
    invoiceOpen:
      'La facture reste ouverte. Nous ne débiterons plus cette carte pour elle : veuillez payer la ' +
      'facture sur sa page. Si la carte n’est plus valable, changez-la pour les prochaines factures.',
    payInvoice: 'Payer la facture',
    changeOnly: 'Changer de carte',
  },
  subscriptionEnd: {
    subject: (merchant, plan) => `Fin de votre abonnement chez ${merchant} : ${plan}`,
    ended: 'Votre abonnement est terminé',
    ends: (day) => `Votre abonnement prend fin le ${day}`,
    unpaid: 'Votre carte n’a pas pu être débitée à plusieurs reprises.',
    text: (merchant) =>
      `Vous ne serez plus débité. Si vous ne l’avez pas demandé, contactez ${merchant}.`,
    see: 'Voir vos paiements',
  },
  refundNotice: {
    subject: (merchant, amount) => `Votre remboursement de ${merchant} : ${amount}`,
    heading: (amount) => `${amount} vous sont remboursés`,
    causes: {
      requested: (merchant) => `${merchant} a remboursé votre paiement.`,
      card_check: (merchant) =>
        `Votre carte pour ${merchant} a été vérifiée. La somme débitée est remboursée.`,
      overpayment: (merchant) =>
        `Vous avez payé à ${merchant} plus que le montant dû. Le reste a été remboursé.`,
      repeated_charge: (merchant) =>
        `Vous avez payé deux fois à ${merchant}. Le second paiement a été remboursé.`,
      late_success: (merchant) =>
        `Votre argent est arrivé après la fin du paiement à ${merchant}. Il a été remboursé.`,
    },
    text: 'L’argent peut mettre quelques jours à arriver sur votre compte.',
    see: 'Voir le paiement',
  },

  reminder: {
    subjects: {
      before: (number, sender, day) => `Facture ${number} de ${sender} : échéance le ${day}`,
      today: (number, sender) => `Facture ${number} de ${sender} : échéance aujourd’hui`,
      after: (number, sender) => `Facture ${number} de ${sender} : échéance dépassée`,
    },
    headings: {
      before: (amount, day) => `${amount} à payer pour le ${day}`,
      today: (amount) => `${amount} à payer aujourd’hui`,
      after: (amount, day) => `${amount} étaient à payer le ${day}`,
    },
    greeting: (name) => `Bonjour ${name},`,
    texts: {
      before: (number) => `nous vous rappelons la facture ${number}.`,
      today: (number) =>
        `nous vous rappelons que la facture ${number} arrive à échéance aujourd’hui.`,
      after: (number) => `la facture ${number} n’est pas encore entièrement payée.`,
    },
    paidMeanwhile: 'Si vous l’avez payée entre-temps, ne tenez pas compte de ce message.',
    invoice: 'Facture',
    total: 'Total',
    due: 'Reste à payer',
    dueDate: 'Échéance',
    pay: 'Voir et payer en ligne',
    see: 'Voir la facture',
  },

  statement: {
    title: 'Relevé de compte',
    titleOf: (name) => `Relevé de ${name}`,
    subject: (sender, period) => `Relevé de ${sender}, ${period}`,
    period: (from, to) => `du ${from} au ${to}`,
    greeting: (name) => `Bonjour ${name},`,
    attached: (period) => `veuillez trouver ci-joint votre relevé ${period}.`,
    balanceOn: (day) => `Solde au ${day}`,
    asOf: (day) => `Imprimé le ${day}`,
    nothing: 'Rien n’était ouvert pendant cette période, et rien n’a été enregistré.',
    file: 'releve',
    sandbox: 'TEST : CES CHIFFRES NE SONT PAS RÉELS',
    taxNumber: 'Numéro fiscal {number}',
    date: 'Date',
    what: 'Objet',
    charged: 'Facturé',
    settled: 'Payé ou crédité',
    balance: 'Solde',
    opening: 'Solde initial',
    closing: 'Solde final',
    kinds: {
      invoice: 'Facture',
      credit_note: 'Avoir',
      bill: 'Facture fournisseur',
      supplier_credit: 'Avoir fournisseur',
      expense_claim: 'Note de frais',
      payment: 'Paiement',
      other: 'Ajustement',
      voided: 'annulée',
    },
  },
}
