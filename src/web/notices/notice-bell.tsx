// The bell of every page: how many notices are unread, and the newest of them.
import type { UnreadNotices } from '../../kernel/notices/list-notices.ts'
import { Icon } from '../components/icon.tsx'
import { Moment } from '../components/moment.tsx'
import { tokenField } from '../shell/token-field.ts'
import type { Visit } from '../shell/visit.ts'
import { noticesPath } from './notices-path.ts'

export function NoticeBell({ visit, unread }: { visit: Visit; unread: UnreadNotices }) {
  const { count, newest } = unread
  return (
    <details class="menu menu-end menu-acts notice-bell">
      <summary>
        <Icon name="bell" />
        <span class="visually-hidden">Notices</span>
        {count > 0 && (
          <span class="place-badge">
            {count > 99 ? '99+' : count}
            <span class="visually-hidden"> unread</span>
          </span>
        )}
      </summary>
      <div class="menu-list">
        {count === 0 && <p class="menu-text quiet">No unread notices.</p>}
        {newest.map(({ id, subject, createdAt }) => (
          <form key={id} method="post" action={visit.href(`${noticesPath}/${id}/open`)}>
            <input type="hidden" name={tokenField} value={visit.context.ids.uuid()} />
            <button class="menu-act" type="submit">
              {subject}
              <span class="quiet d-block">
                <Moment at={createdAt} zone={visit.zone} />
              </span>
            </button>
          </form>
        ))}
        <a href={visit.href(noticesPath)}>Show all notices</a>
      </div>
    </details>
  )
}
