// The built-in verifier: calls the simulator, in the envelope of the simulated provider.
import { createClient, type FlutterwaveOptions } from '../provider/flutterwave-client.ts'
import { isFields, textOf } from '../provider/flutterwave-fields.ts'
import type { Outcome } from '../provider/provider.ts'
import type { Decision, IdentityVerdict, SubmittedDossier, Verifier } from './verifier.ts'

export function createSimulatedVerifier(options: FlutterwaveOptions): Verifier {
  const call = createClient(options)
  const path = (kind: string, reference: string) => `/${kind}/${encodeURIComponent(reference)}`
  return {
    isSimulated: true,
    async startIdentityCheck({ reference, personName, returnUrl }) {
      const body = { reference, person_name: personName, return_url: returnUrl }
      const outcome = await call({ method: 'POST', path: '/checks', body })
      return read(outcome, (data) => {
        const url = textOf(data, 'url')
        return url === undefined ? undefined : { url }
      })
    },
    async findIdentityCheck(reference) {
      const outcome = await call({ method: 'GET', path: path('checks', reference) })
      return read(outcome, (data) => {
        const status = textOf(data, 'status')
        return status === 'unknown' ? null : verdicts.find((verdict) => verdict === status)
      })
    },
    async handIn(dossier) {
      for (const document of dossier.documents) {
        const content = (await document.read()).toString('base64')
        const { id, kind, contentType: content_type, sha256 } = document
        const body = { reference: dossier.reference, id, kind, content_type, sha256, content }
        const outcome = await call({ method: 'POST', path: '/documents', body })
        if (outcome.kind !== 'success') return outcome
      }
      const outcome = await call({ method: 'POST', path: '/reviews', body: reviewBody(dossier) })
      return read(outcome, () => null)
    },
    async findDecision(reference) {
      const outcome = await call({ method: 'GET', path: path('reviews', reference) })
      return read(outcome, readDecision)
    },
  }
}

const verdicts: readonly IdentityVerdict[] = ['waiting', 'passed', 'failed']

function reviewBody({ reference, country, details, owners, documents }: SubmittedDossier) {
  return {
    reference,
    country,
    legal_name: details.legalName,
    registration_number: details.registrationNumber,
    owners: owners.map(({ name, bornOn, shareBasisPoints }) => ({
      name,
      born_on: bornOn,
      share_basis_points: String(shareBasisPoints),
    })),
    documents: documents.map(({ id, sha256 }) => ({ id, sha256 })),
  }
}

function readDecision(data: Readonly<Record<string, unknown>>): Decision | null | undefined {
  const status = textOf(data, 'status')
  if (status === 'unknown') return null
  if (status === 'waiting' || status === 'verified') return { status }
  const reason = textOf(data, 'reason')
  return status === 'rejected' && reason !== undefined ? { status, reason } : undefined
}

// An unreadable answer is unknown, like a lost one.
function read<Value>(
  outcome: Outcome<{ readonly data: unknown }>,
  readData: (data: Readonly<Record<string, unknown>>) => Value | undefined,
): Outcome<Value> {
  if (outcome.kind !== 'success') return outcome
  const { data } = outcome.value
  const value = isFields(data) ? readData(data) : undefined
  if (value === undefined) return { kind: 'unknown', cause: 'the answer cannot be read' }
  return { kind: 'success', value }
}
