// Operations on API keys and people, for the services of this program.
import { accessOperations } from '../kernel/access/access-operations.ts'
import { services } from './services.ts'

export const access = accessOperations(services)
