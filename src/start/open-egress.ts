import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Settings } from '../config.ts'
import { StartError } from '../kernel/basics/start-error.ts'
import { createEgress, type Egress } from '../kernel/webhooks/egress.ts'

export function openEgress({ webhookAllow, webhookCaFile }: Settings): Egress {
  return createEgress({
    ...(webhookAllow && { allowed: webhookAllow }),
    ...(webhookCaFile !== undefined && { extraCa: readCertificates(webhookCaFile) }),
  })
}

function readCertificates(path: string): string {
  const text = readText(path)
  try {
    for (const one of text.match(certificate) ?? ['none']) new X509Certificate(one)
  } catch (error) {
    const wanted = 'must contain certificates in PEM (-----BEGIN CERTIFICATE-----).'
    throw new StartError(`WEBHOOK_CA_FILE: ${path} ${wanted}`, { cause: error })
  }
  return text
}

const certificate = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`WEBHOOK_CA_FILE: ${path} cannot be read.`, { cause: error })
  }
}
