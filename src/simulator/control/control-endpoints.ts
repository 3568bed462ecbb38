// The control API, with which tests, benchmarks and people control the simulator.
import type { Endpoint } from '../endpoint.ts'
import { cancel, pay } from './control-payer.ts'
import { addRule, removeRule, removeRules, showRules } from './control-rules.ts'
import { act, drain, proceed, sendWebhook, showEffects, showWebhooks } from './control-time.ts'
import { changeWorld, fundWallet, showWorld } from './control-world.ts'

export const controlEndpoints: readonly Endpoint[] = [
  showWorld,
  changeWorld,
  fundWallet,
  addRule,
  showRules,
  removeRules,
  removeRule,
  pay,
  cancel,
  proceed,
  act,
  drain,
  showEffects,
  showWebhooks,
  sendWebhook,
]
