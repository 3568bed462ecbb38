// How better-auth is set up here: its tables, its cookies, its clock-bound limits, and what we add
// to it. people-hooks.ts corrects two of its habits: it accepts a one-time code twice,
// and it does not limit tries per account. Nothing here may call out to the network.
import { setTimeout as sleep } from 'node:timers/promises'
import { betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { assert } from '../basics/assert.ts'
import type { Context } from '../db/context.ts'
import { translateError } from '../db/database-errors.ts'
import { createKnownDevices, type KnownDevices } from './known-device.ts'
import {
  afterEndpoint,
  beforeEndpoint,
  describeNewSession,
  type WaitSeconds,
} from './people-hooks.ts'
import { sessionLifeSeconds } from './person.ts'
import {
  hashPassword,
  passwordLengthMax,
  passwordLengthMin,
  verifyPassword,
} from './person-password.ts'
import { sealedSecondFactor } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import { openSessionPlugin } from './sign-in-link.ts'

// Requests reach better-auth with the caller's address in this header, which we always overwrite
// (people.ts): a client's own header of this name is never trusted.
export const addressHeader = 'x-client-address'
const authBasePath = '/auth'

export type Auth = ReturnType<typeof createAuth>

type AuthOptions = {
  publicUrl: string
  secret: string
  secrets: Secrets
  // How a try that has to wait does so; tests don't.
  waitSeconds?: WaitSeconds | undefined
}

export function createAuth(context: Context, options: AuthOptions) {
  const { publicUrl, secret, secrets, waitSeconds = wait } = options
  const secondFactor = sealedSecondFactor(secrets)
  const devices = knownDevices(publicUrl, secret)
  const limits = { devices, waitSeconds }
  return betterAuth({
    appName: 'Tillbook',
    baseURL: new URL(publicUrl).origin,
    basePath: authBasePath,
    trustedOrigins: [new URL(publicUrl).origin],
    // The list form, since the environment could override the single one.
    secrets: [{ version: 1, value: secret }],
    telemetry: { enabled: false },
    logger: { level: 'warn', log: logTo(context) },
    // Without this, refusals are written to the console as errors.
    onAPIError: { onError: logFailure(context) },
    database: poolOf(context),
    ...models,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      password: {
        hash: (password) => hashPassword(context.ids, password),
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
    },
    plugins: [
      twoFactor({
        issuer: 'Tillbook',
        twoFactorCookieMaxAge: challengeSeconds,
        // It would lock the whole account; ours leaves known devices alone (sign-in-limits.ts).
        accountLockout: { enabled: false },
        backupCodeOptions: { storeBackupCodes: secondFactor.storeBackupCodes },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: { modelName: 'two_factors', fields: twoFactorFields },
        },
      }),
      secondFactor.plugin,
      openSessionPlugin,
    ],
    hooks: {
      before: beforeEndpoint(context, secrets, limits),
      after: afterEndpoint(context, limits),
    },
    databaseHooks: { session: { create: { before: describeNewSession(context) } } },
    // Our own limits also count per account, and across processes (sign-in-limits.ts).
    rateLimit: { enabled: false },
    advanced: {
      ...cookies(publicUrl),
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // The check reads the catalogue at every start; a test does that instead.
      database: { generateId: () => context.ids.uuid(), validateSchema: false },
    },
  })
}

export function knownDevices(publicUrl: string, secret: string): KnownDevices {
  const { cookiePrefix, defaultCookieAttributes } = cookies(publicUrl)
  return createKnownDevices({ cookiePrefix, secure: defaultCookieAttributes.secure, secret })
}

const wait: WaitSeconds = async (seconds) => {
  await sleep(seconds * 1000)
}

// How long a person has between password and code.
const challengeSeconds = 10 * 60

// The column names, which better-auth would write in camelCase.
const createdAndUpdated = { createdAt: 'created_at', updatedAt: 'updated_at' }

const twoFactorFields = {
  userId: 'person_id',
  secret: 'secret_sealed',
  backupCodes: 'backup_codes_sealed',
  failedVerificationCount: 'failed_verification_count',
  lockedUntil: 'locked_until',
}

const models = {
  user: {
    modelName: 'people',
    fields: { emailVerified: 'email_verified', ...createdAndUpdated },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'person_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...createdAndUpdated,
    },
    expiresIn: sessionLifeSeconds,
    // Extending would need a new cookie with every response; people.ts ends idle sessions instead.
    disableSessionRefresh: true,
    additionalFields: {
      lastSeenAt: { type: 'date', required: true, input: false, fieldName: 'last_seen_at' },
      secondFactorAt: {
        type: 'date',
        required: false,
        input: false,
        fieldName: 'second_factor_at',
      },
      passwordAt: { type: 'date', required: false, input: false, fieldName: 'password_at' },
    },
  },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'person_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...createdAndUpdated,
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', ...createdAndUpdated },
  },
} as const

// Our pool, with errors that the rest of the application knows. The application closes it.
function poolOf({ database }: Context) {
  const { pool } = database.sql
  return {
    async connect() {
      const client = await pool.connect()
      let isReleased = false
      return {
        async query(text: string, values: unknown[]) {
          // Another request may have the connection by now.
          assert(!isReleased, 'better-auth used a connection after its release')
          try {
            return await client.query(text, values)
          } catch (error) {
            throw translateError(error)
          }
        },
        release() {
          isReleased = true
          client.release()
        },
      }
    },
    end: async () => undefined,
  }
}

// A `__Host-` cookie belongs to one host and is only sent encrypted; browsers enforce that. It must
// be Secure, so plain http (a demo on loopback) uses an ordinary name.
function cookies(publicUrl: string) {
  const secure = new URL(publicUrl).protocol === 'https:'
  return {
    cookiePrefix: secure ? '__Host-tillbook' : 'tillbook',
    // better-auth would put `__Secure-` in front of our prefix.
    useSecureCookies: false,
    defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax' as const, path: '/' },
  }
}

// Only the message of an error is logged: the rest may be a request with its body, or the values of
// a statement.
function logTo(context: Context) {
  return (level: LogLevel, message: string, ...details: unknown[]) => {
    const cause = details.find((detail) => detail instanceof Error)?.message
    context.log[level === 'success' ? 'info' : level]({ part: 'people', cause }, message)
  }
}

function logFailure(context: Context) {
  return (error: unknown) => {
    if (isAPIError(error)) return
    const cause = error instanceof Error ? error.message : String(error)
    context.log.error({ part: 'people', cause }, 'better-auth failed')
  }
}

type LogLevel = 'debug' | 'info' | 'success' | 'warn' | 'error'
