// The page behind the link of an invitation. A new person chooses a name and a password and is
// signed in; someone with an account joins with it.
import type { FoundInvitation, Invitations } from '../../kernel/access/accept-invitation.ts'
import type { People } from '../../kernel/auth/people.ts'
import type { Session } from '../../kernel/auth/person.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import { FormCard, NewPasswordField } from '../../kernel/web/sign-in-forms.tsx'
import { roleLabels } from '../shell/role-labels.ts'
import { faultText } from './fault-text.ts'
import { deadLink } from './link-pages.tsx'

const path = '/invitations/:business/:token'

export function invitationPages(
  context: ServiceContext,
  people: People,
  invitations: Invitations,
): Page[] {
  const open = async (request: PageRequest) => {
    const link = linkOf(request)
    const invitation = await invitations.find(context, link)
    const session = await people.findSession(request.headers)
    return invitation && { link, invitation, session }
  }
  return [
    {
      method: 'GET',
      path,
      hosted: 'plain',
      async handle(request) {
        const opened = await open(request)
        return opened ? show(200, { ...opened, action: request.url.pathname }) : deadLink
      },
    },
    {
      method: 'POST',
      path,
      hosted: 'costly',
      async handle(request) {
        const opened = await open(request)
        if (!opened) return deadLink
        const { link, invitation, session } = opened
        const [name, password] = ['name', 'password'].map((field) => request.form.get(field) ?? '')
        try {
          if (invitation.hasAccount) {
            if (!session) return show(422, { ...opened, action: request.url.pathname })
            await invitations.acceptAs(context, link, session)
            return redirectTo('/home')
          }
          const person = { name: name ?? '', password: password ?? '' }
          const accepted = await invitations.acceptAsNew(context, link, person)
          if (!accepted) return deadLink
          const { setCookies } = await people.signIn(request, accepted.email, person.password)
          return redirectTo('/home', setCookies)
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          const props = { ...opened, action: request.url.pathname, name: name ?? '' }
          return show(422, { ...props, error: faultText(error) })
        }
      },
    },
  ]
}

function linkOf({ params }: PageRequest) {
  return { businessId: params.business ?? '', token: params.token ?? '' }
}

type InvitationProps = {
  invitation: FoundInvitation
  session: Session | undefined
  action: string
  name?: string
  error?: string
}

function show(status: number, props: InvitationProps): PageAnswer {
  const { businessName } = props.invitation
  const title = `Join ${businessName}`
  const isOwn = props.session?.email === props.invitation.email
  return {
    status,
    title,
    body: (
      <FormCard action={props.action} title={title} error={props.error}>
        <Greeting {...props.invitation} />
        {!props.invitation.hasAccount ? (
          <NewAccount {...props} />
        ) : isOwn ? (
          <button class="btn btn-primary w-100" type="submit">
            Join
          </button>
        ) : (
          <SignInFirst {...props} />
        )}
      </FormCard>
    ),
  }
}

function Greeting({ inviterName, businessName, role, email }: FoundInvitation) {
  return (
    <p class="text-break">
      {inviterName} invites you ({email}) to work for {businessName} as{' '}
      <strong>{roleLabels[role].toLowerCase()}</strong>.
    </p>
  )
}

function NewAccount({ invitation: { email }, name = '', error }: InvitationProps) {
  return (
    <>
      <div class="mb-3">
        <label class="form-label" for="name">
          Your name
        </label>
        <input
          class="form-control"
          id="name"
          name="name"
          type="text"
          autocomplete="name"
          maxLength={200}
          required
          value={name}
          {...(error && { 'aria-describedby': 'error' })}
        />
      </div>
      <NewPasswordField email={email} error={error} />
      <button class="btn btn-primary w-100" type="submit">
        Create account
      </button>
    </>
  )
}

function SignInFirst({ session, action }: InvitationProps) {
  if (session) {
    return (
      <p class="note note-unsure mb-0">
        You are signed in as {session.email}. Sign out first, then open this link again.
      </p>
    )
  }
  return (
    <>
      <p>You have an account with this address. Sign in with it to join.</p>
      <a class="btn btn-primary w-100" href={`/sign-in?next=${encodeURIComponent(action)}`}>
        Sign in
      </a>
    </>
  )
}
