// The invariants of webhooks.
import { type Invariant, violationsMax } from '../db/invariant.ts'
import {
  listForgottenDeliveries,
  listMisaddressedEvents,
  listMiscountedAttempts,
  listMisqueuedDeliveries,
  listMistimedAttempts,
  listStrayDeliveries,
} from './invariant-store.ts'
import type { WebhookProfile } from './profile.ts'

export function webhookInvariants(profiles: readonly WebhookProfile[]): Invariant[] {
  const attemptsMax = Object.fromEntries(
    profiles.map(({ service, retryDelaysSeconds }) => [service, retryDelaysSeconds.length + 1]),
  )
  const waits = profiles.flatMap(({ service, retryDelaysSeconds, jitter }) =>
    retryDelaysSeconds.map((seconds, index) => ({
      service,
      number: index + 1,
      seconds,
      secondsMax: seconds * (1 + jitter),
    })),
  )
  return [
    {
      id: 'I9.1',
      title: 'every event has a delivery for each endpoint that was on',
      violations: (sql) => listMisaddressedEvents(sql, violationsMax),
    },
    {
      id: 'I9.2',
      title: 'every delivery has an event and an endpoint of the same tenant and service',
      violations: (sql) => listStrayDeliveries(sql, violationsMax),
    },
    {
      id: 'I9.3',
      title: 'every delivery is queued, delivered or stopped',
      violations: (sql) => listMisqueuedDeliveries(sql, violationsMax),
    },
    {
      id: 'I9.4',
      title: 'nothing is on hold for an endpoint that is on or deleted',
      violations: (sql, now) => listForgottenDeliveries(sql, now, violationsMax),
    },
    {
      id: 'I10.1',
      title: 'attempts are numbered without gaps, and a dead letter has used all of them',
      violations: (sql) => listMiscountedAttempts(sql, attemptsMax, violationsMax),
    },
    {
      id: 'I10.2',
      title: 'the next attempt is planned after the delay of the schedule',
      violations: (sql) => listMistimedAttempts(sql, waits, violationsMax),
    },
  ]
}
