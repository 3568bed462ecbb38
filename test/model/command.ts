// A command does one thing to the application and to the model. A file of test/model/commands has
// those of one subject; a new subject is a new file and a line in test/model/subjects.ts.
import type { Model } from './model.ts'
import type { Real } from './real.ts'

// A command in one of its variants, ready to be chosen.
export type Command = {
  readonly name: string
  // Undefined when the model has nothing that it could be about; else it does it, to both.
  prepare(model: Model, nth: number): ((real: Real) => Promise<void>) | undefined
}

export type Subject = {
  // Variants of each command. One that is listed twice happens twice as often.
  readonly commands: readonly (readonly Command[])[]
  // How a run may begin, by the names of the commands, so that what is rare does not wait for luck.
  readonly openings?: readonly (readonly string[])[]
  // What must have been tallied at least once when all runs are over.
  readonly reached: readonly string[]
}

// `choose` says what of the model it is about, undefined when there is nothing.
export function defineCommand<Chosen, Value>(
  name: string,
  values: readonly Value[],
  choose: (model: Model, nth: number, value: Value) => Chosen | undefined,
  run: (model: Model, real: Real, chosen: Chosen, value: Value) => Promise<void>,
): readonly Command[] {
  return values.map((value) => ({
    name: value === undefined ? name : `${name} (${labelOf(value)})`,
    prepare(model, nth) {
      const chosen = choose(model, nth, value)
      return chosen === undefined ? undefined : (real) => run(model, real, chosen, value)
    },
  }))
}

export const nothing = [undefined]

// The nth of those that fit, counted round.
export function pick<Item>(
  items: readonly Item[],
  nth: number,
  fits: (item: Item) => boolean = () => true,
): Item | undefined {
  const fitting = items.filter(fits)
  return fitting[nth % fitting.length]
}

function labelOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name} ${part}`)
    .join(', ')
}
