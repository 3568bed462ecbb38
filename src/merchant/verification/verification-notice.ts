import type { Notice } from '../../kernel/notices/notice.ts'

// `fact` names the decision: the session, or the moment of a decision by hand.
export function verificationNotice(
  fact: string,
  status: 'verified' | 'rejected',
  reason: string | null,
): Notice {
  return {
    kind: 'verification',
    fact: `verification/${fact}`,
    subject: status === 'verified' ? 'Your business is verified' : 'Your verification was rejected',
    lines:
      status === 'verified'
        ? ['Your business is verified. It can take live payments and pay out:']
        : [
            `Your verification was rejected: ${reason ?? 'no reason was given'}`,
            'See what is missing and try again:',
          ],
    path: '/settings/business',
  }
}
