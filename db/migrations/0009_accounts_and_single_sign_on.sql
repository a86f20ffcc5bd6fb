CREATE TABLE "group_role" (
	"tenant_id" uuid NOT NULL,
	"group_name" text NOT NULL,
	"role_id" uuid NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "group_role_tenant_id_group_name_pk" PRIMARY KEY("tenant_id","group_name")
);
--> statement-breakpoint
ALTER TABLE "group_role" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "oidc_identity" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "oidc_identity_issuer_subject_pk" PRIMARY KEY("issuer","subject"),
	CONSTRAINT "oidc_identity_issuer_userId_unique" UNIQUE("issuer","user_id")
);
--> statement-breakpoint
CREATE TABLE "password_reset" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"tenant_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tenant_member" ADD COLUMN "is_from_group" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "group_role" ADD CONSTRAINT "group_role_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_role" ADD CONSTRAINT "group_role_tenant_id_role_id_role_tenant_id_id_fk" FOREIGN KEY ("tenant_id","role_id") REFERENCES "public"."role"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_identity" ADD CONSTRAINT "oidc_identity_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "group_role_group" ON "group_role" USING btree ("group_name");--> statement-breakpoint
CREATE INDEX "password_reset_user" ON "password_reset" USING btree ("user_id");--> statement-breakpoint
CREATE POLICY "group_role_tenant" ON "group_role" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "group_role_claimed" ON "group_role" AS PERMISSIVE FOR SELECT TO public USING (group_name in (select jsonb_array_elements_text(coalesce(nullif(current_setting('app.claimed_groups', true), ''), '[]')::jsonb)));