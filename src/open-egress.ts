import { readFileSync } from 'node:fs'
import type { Settings } from './config.ts'
import { StartError } from './kernel/basics/start-error.ts'
import { createEgress, type Egress } from './kernel/webhooks/egress.ts'

export function openEgress({ webhookAllow, webhookCaFile }: Settings): Egress {
  return createEgress({
    ...(webhookAllow && { allowed: webhookAllow }),
    ...(webhookCaFile !== undefined && { extraCa: readCertificates(webhookCaFile) }),
  })
}

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`WEBHOOK_CA_FILE: ${path} cannot be read.`, { cause: error })
  }
}
