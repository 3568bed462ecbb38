// What payers read about items of a link and the fields that it asks for, in French.
import type { englishOrders } from './english-orders.ts'

export const frenchOrders: typeof englishOrders = {
  order: {
    items: 'Votre commande',
    total: 'Total',
    each: (price) => `${price} l’unité`,
    left: (count) => (count === 1 ? 'plus qu’un disponible' : `plus que ${count} disponibles`),
    soldOut: 'épuisé',
    newTotal: (total) =>
      `Le total est de ${total}. Rien n’a été débité. Vérifiez-le et appuyez de nouveau sur Payer.`,
    short: 'Il n’en reste pas assez pour votre commande. Rien n’a été débité.',
    quantity: (least, most) => `Saisissez un nombre entre ${least} et ${most}.`,
    tooMany: (left) =>
      left === 0 ? 'Il n’en reste plus.' : `Il en reste ${left} : saisissez au plus ${left}.`,
    nothingChosen: 'Choisissez au moins un article.',
    atMost: (amount) => `Un paiement ne peut pas dépasser ${amount}.`,
  },
  answers: {
    name: 'Nom',
    phone: 'Téléphone',
    address: 'Adresse',
    note: 'Remarque',
    optional: (label) => `${label} (facultatif)`,
    missing: {
      name: 'Saisissez votre nom.',
      phone: 'Saisissez votre numéro de téléphone.',
      address: 'Saisissez votre adresse.',
      note: 'Saisissez une remarque.',
    },
    noPhone: 'Saisissez un numéro de téléphone, par exemple +33 1 70 18 99 00.',
    tooLong: (max) => `Au plus ${max} caractères.`,
    notPrintable: 'Supprimez les caractères non imprimables.',
  },
}
