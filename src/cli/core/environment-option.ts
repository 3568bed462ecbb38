// Live or sandbox. Every command says it with `--test`; `--environment NAME` is what `keys create`
// and `listen` had before that, and they still take it.
import { type Environment, environments } from '../../kernel/basics/tenant.ts'
import { type CommandOptions, requiredOption, UsageError } from './command.ts'

export function environmentOption(options: CommandOptions): Environment {
  return chosenEnvironment(options) ?? 'live'
}

// Undefined when nothing was said.
export function chosenEnvironment(options: CommandOptions): Environment | undefined {
  const [chosen, other] = new Set<Environment>([
    ...(options.test ? (['test'] as const) : []),
    ...(options.live ? (['live'] as const) : []),
    ...(options.environment === undefined ? [] : [namedEnvironment(options)]),
  ])
  if (other) throw new UsageError('say either the sandbox or live, not both')
  return chosen
}

function namedEnvironment(options: CommandOptions): Environment {
  const name = requiredOption(options, 'environment')
  const environment = environments.find((known) => known === name)
  if (!environment) throw new UsageError(`--environment must be ${environments.join(' or ')}`)
  return environment
}
