// What people do with both services at once.
import { chooseRecurringCard } from './choose-recurring-card.ts'
import { getRecurringCard } from './get-recurring-card.ts'
import { stopRecurringCard } from './stop-recurring-card.ts'

export const bridgeOperations = [getRecurringCard, chooseRecurringCard, stopRecurringCard] as const
