// Live or sandbox. Every command has `--test`; `keys create` and `listen` also accept the older
// `--environment NAME`.
import { type Environment, environments } from '../../kernel/basics/tenant.ts'
import { type CommandOptions, requiredOption, UsageError } from './command.ts'

export function environmentOption(options: CommandOptions): Environment {
  return chosenEnvironment(options) ?? 'live'
}

// Undefined if no option was given.
export function chosenEnvironment(options: CommandOptions): Environment | undefined {
  const [chosen, other] = new Set<Environment>([
    ...(options.test ? (['test'] as const) : []),
    ...(options.live ? (['live'] as const) : []),
    ...(options.environment === undefined ? [] : [namedEnvironment(options)]),
  ])
  if (other) throw new UsageError('use either --test or --live, not both')
  return chosen
}

function namedEnvironment(options: CommandOptions): Environment {
  const name = requiredOption(options, 'environment')
  const environment = environments.find((known) => known === name)
  if (!environment) throw new UsageError(`--environment must be ${environments.join(' or ')}`)
  return environment
}
