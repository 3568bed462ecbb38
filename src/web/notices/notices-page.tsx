// Everything that the person was notified about in the application.
import { listNotices } from '../../kernel/notices/list-notices.ts'
import type { ShownNotice } from '../../kernel/notices/notice.ts'
import { readAllNotices, readNotice } from '../../kernel/notices/read-notice.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { FilterChips } from '../components/filter-chips.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager } from '../components/table.tsx'
import { type AppRoute, defineAction, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { noticesPath } from './notices-path.ts'

const listPage = definePage({
  path: noticesPath,
  operation: listNotices,
  async show(visit) {
    const show = visit.query.get('show') === 'unread' ? 'unread' : undefined
    const before = visit.query.get('before') || undefined
    const page = await visit.run(listNotices, { isUnread: show === 'unread', before })
    const { notices, unreadCount, nextBefore } = page
    return {
      title: 'Notices',
      content: (
        <>
          <PageHeader
            title="Notices"
            lead={
              <>
                What happened that you wanted to know.{' '}
                <a href={visit.href('/settings/notifications')}>Choose your notifications</a>
              </>
            }
            actions={
              unreadCount > 0 && (
                <ActionButton
                  action={visit.href(`${noticesPath}/read`)}
                  token={visit.context.ids.uuid()}
                  label="Mark all as read"
                />
              )
            }
          />
          <FilterChips
            label="Show"
            chosen={show}
            choices={{ unread: `Unread (${unreadCount})` }}
            hrefOf={(choice) => visit.href(noticesPath, { show: choice })}
          />
          {notices.length === 0 ? (
            <EmptyState title={show ? 'Nothing unread' : 'No notices yet'}>
              Approvals that wait, payouts, disputes, paid invoices and more appear here.
            </EmptyState>
          ) : (
            <ul class="notice-list">
              {notices.map((notice) => (
                <li key={notice.id}>
                  <Notice visit={visit} notice={notice} />
                </li>
              ))}
            </ul>
          )}
          <Pager
            firstHref={before ? visit.href(noticesPath, { show }) : undefined}
            nextHref={
              nextBefore ? visit.href(noticesPath, { show, before: nextBefore }) : undefined
            }
          />
        </>
      ),
    }
  },
})

function Notice({ visit, notice }: { visit: Visit; notice: ShownNotice }) {
  const { id, subject, lines, createdAt, readAt } = notice
  return (
    <div class="card">
      <div class="card-body notice">
        <div>
          <p class="mb-1">
            <strong>{subject}</strong> {readAt === null && <Badge tone="unsure">New</Badge>}
          </p>
          <p class="notice-text">{lines.join('\n')}</p>
          <p class="quiet mb-0">
            <Moment at={createdAt} zone={visit.zone} />
          </p>
        </div>
        <ActionButton
          action={visit.href(`${noticesPath}/${id}/open`)}
          token={visit.context.ids.uuid()}
          label="Open"
        />
      </div>
    </div>
  )
}

const openAction = defineAction({
  path: `${noticesPath}/:id/open`,
  operation: readNotice,
  page: (visit) => visit.href(noticesPath),
  input: (visit) => ({ id: visit.param('id') }),
  done: (visit, { path }) => ({ location: visit.href(path), message: null }),
})

const readAction = defineAction({
  path: `${noticesPath}/read`,
  operation: readAllNotices,
  page: (visit) => visit.href(noticesPath),
  input: () => ({}),
  done: (visit) => ({ location: visit.href(noticesPath), message: 'All notices are read.' }),
})

export const noticesPages: AppRoute[] = [...listPage, ...openAction, ...readAction]
