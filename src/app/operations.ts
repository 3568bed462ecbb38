// All operations of the program. The table of roles, its page in the docs and the tests over all
// operations use this list.
import { booksOperations } from '../books/operations/all-operations.ts'
import { booksService } from '../books/service.ts'
import { bridgeOperations } from '../bridge/operations.ts'
import { accountOperations as account } from '../kernel/account/account-operations.ts'
import { getBrand } from '../kernel/brand/get-brand.ts'
import { setBrand } from '../kernel/brand/set-brand.ts'
import { removeLogo, setLogo } from '../kernel/brand/set-logo.ts'
import { getEvent, listEvents } from '../kernel/endpoints/event-operations.ts'
import { getMail, getMailFile } from '../kernel/mailbox/get-mail.ts'
import { listMails } from '../kernel/mailbox/list-mails.ts'
import { sendMailAgain } from '../kernel/mailbox/send-mail-again.ts'
import { getUnreadNotices, listNotices } from '../kernel/notices/list-notices.ts'
import { listNotificationChoices } from '../kernel/notices/list-notification-choices.ts'
import { readAllNotices, readNotice } from '../kernel/notices/read-notice.ts'
import { setNotificationChoices } from '../kernel/notices/set-notification-choices.ts'
import type { Operation } from '../kernel/operations/operation.ts'
import { merchantOperations } from '../merchant/operations.ts'
import { merchantService } from '../merchant/service.ts'
import { access } from './access.ts'
import { endpointServices } from './endpoints.ts'

export type OperationGroup = {
  readonly title: string
  // The scopes that a key of the service can have; none if keys can call nothing.
  readonly scopes: readonly string[]
  readonly operations: readonly Operation<never>[]
}

export const operationGroups: readonly OperationGroup[] = [
  { title: 'Payments', scopes: merchantService.scopes, operations: merchantOperations },
  { title: 'Books', scopes: booksService.scopes, operations: booksOperations },
  { title: 'Payments and books together', scopes: [], operations: bridgeOperations },
  {
    title: 'Webhooks',
    scopes: merchantService.scopes,
    operations: [
      ...endpointServices.flatMap(({ operations }) => Object.values(operations)),
      listEvents,
      getEvent,
    ],
  },
  { title: 'Branding', scopes: [], operations: [getBrand, setBrand, setLogo, removeLogo] },
  { title: 'Mails', scopes: [], operations: [listMails, getMail, getMailFile, sendMailAgain] },
  {
    title: 'API keys and people',
    scopes: [],
    operations: [...Object.values(access), listNotificationChoices, setNotificationChoices],
  },
  {
    title: 'Notices',
    scopes: [],
    operations: [listNotices, getUnreadNotices, readNotice, readAllNotices],
  },
  { title: 'Own account', scopes: [], operations: Object.values(account) },
]
