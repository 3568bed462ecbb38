// The two services of this program. Router, references, keys and tests use this list.

import { booksService } from '../books/service.ts'
import type { Service } from '../kernel/http/service.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { merchantService } from '../merchant/service.ts'

export const services: readonly Service<MerchantContext>[] = [merchantService, booksService]
