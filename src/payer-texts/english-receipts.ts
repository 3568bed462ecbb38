// What the receipt of a payment says, in English.
export const englishReceipts = {
  receiptPage: {
    title: 'Receipt',
    item: 'Item',
    quantity: 'Quantity',
    price: 'Price of one',
    refunds: 'Refunds',
    afterRefunds: 'Left after refunds',
    download: 'Download as PDF',
    print: 'Print',
    questions: (merchant: string) => `Questions about this payment? Contact ${merchant}.`,
    fileName: 'receipt',
    // Of the PDF, which fills in the numbers.
    page: 'Page {number} of {count}',
    continued: 'continued',
  },
}
