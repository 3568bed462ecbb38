// A page with one form: its title, the way back, and the form.
import type { ComponentChildren } from 'preact'
import type { Draft, Shown } from '../shell/define-page.ts'
import { AppForm } from './app-form.tsx'
import { PageHeader } from './page-header.tsx'

type FormPage = {
  title: string
  back: { href: string; text: string }
  draft: Draft
  submit: string
  isDangerous?: boolean
  showsSecret?: boolean
  hasFile?: boolean
  isWide?: boolean
  // Below the form.
  below?: ComponentChildren
  children?: ComponentChildren
}

export function formPage(page: FormPage): Shown {
  const { title, back, draft, submit, children, below, ...looks } = page
  return {
    title,
    content: (
      <>
        <PageHeader title={title} back={back} />
        <AppForm draft={draft} submit={submit} cancelHref={back.href} {...looks}>
          {children}
        </AppForm>
        {below}
      </>
    ),
  }
}
