// The currencies in which the provider collects. For others it returns 400. Checking here first
// avoids a payment page that can't be opened.
export const flutterwaveCurrencies: ReadonlySet<string> = new Set(
  `
    NGN GHS KES UGX ZAR TZS RWF ZMW MWK SLE XAF XOF EGP MAD ETB
    USD EUR GBP CAD AUD INR BRL ARS COP MXN JPY`
    .trim()
    .split(/\s+/),
)

// In minor units: NGN 100 and KES 10.
export const flutterwaveRefundMinimums: Readonly<Record<string, bigint>> = {
  NGN: 10_000n,
  KES: 1_000n,
}
