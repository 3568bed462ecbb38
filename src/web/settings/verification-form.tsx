// Leads an owner or admin to the hosted pages where the business is verified.
import { createVerification } from '../../merchant/verification/create-verification.ts'
import { formPage } from '../components/form-page.tsx'
import { defineForm } from '../shell/define-page.ts'

export const verificationForm = defineForm({
  path: '/settings/verification',
  operation: createVerification,
  input: () => ({}),
  show: async (visit, draft) =>
    formPage({
      title: 'Verification',
      back: { href: visit.href('/settings'), text: 'Settings' },
      draft,
      submit: 'Start or continue',
      children: (
        <p>
          You fill in the details of the business and its owners and upload documents. You can stop
          at any time; everything you entered is kept.
        </p>
      ),
    }),
  done: (_visit, { path }) => ({ location: path, message: null }),
})
