// What the receipt of a payment says, in French.
import type { englishReceipts } from './english-receipts.ts'

export const frenchReceipts: typeof englishReceipts = {
  receiptPage: {
    title: 'Reçu',
    item: 'Article',
    quantity: 'Quantité',
    price: 'Prix unitaire',
    refunds: 'Remboursements',
    afterRefunds: 'Reste après remboursement',
    download: 'Télécharger en PDF',
    print: 'Imprimer',
    questions: (merchant) => `Une question sur ce paiement ? Contactez ${merchant}.`,
    fileName: 'recu',
    page: 'Page {number} sur {count}',
    continued: 'suite',
  },
}
