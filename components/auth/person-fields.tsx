import { useTranslations } from 'next-intl';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';

interface PersonFieldsProps {
  /** Who is known already. */
  person?: { name: string; email: string } | null;
}

/** The fields `name`, `email` and `password` of a form by which somebody makes an account. */
export function PersonFields({ person = null }: PersonFieldsProps) {
  const t = useTranslations('auth.person');
  return (
    <>
      <Field label={t('name')}>
        {(control) => (
          <Input {...control} name="name" required maxLength={80} autoComplete="name" defaultValue={person?.name} className="h-10" />
        )}
      </Field>
      <Field label={t('email')}>
        {(control) => (
          <Input
            {...control}
            type="email"
            name="email"
            required
            maxLength={254}
            autoComplete="username"
            defaultValue={person?.email}
            className="h-10"
          />
        )}
      </Field>
      <Field label={t('password')} hint={t('passwordHint')}>
        {(control) => (
          <Input
            {...control}
            type="password"
            name="password"
            required
            minLength={12}
            maxLength={200}
            autoComplete="new-password"
            className="h-10"
          />
        )}
      </Field>
    </>
  );
}
