CREATE TABLE "approval" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"invocation_id" uuid NOT NULL,
	"capability_id" text NOT NULL,
	"capability_version" text NOT NULL,
	"arguments" jsonb NOT NULL,
	"arguments_hash" text NOT NULL,
	"proposed_arguments" jsonb,
	"risk" text NOT NULL,
	"reason" text NOT NULL,
	"needs_other" boolean NOT NULL,
	"state" text NOT NULL,
	"requested_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"extent" text,
	"note" text,
	CONSTRAINT "approval_tenantId_id_unique" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "approval" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "approval_grant" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"capability_id" text NOT NULL,
	"capability_version" text NOT NULL,
	"same_arguments" jsonb NOT NULL,
	"granted_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_by" uuid,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "approval_grant_tenantId_id_unique" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "approval_grant" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "approval_policy" (
	"tenant_id" uuid NOT NULL,
	"capability_id" text NOT NULL,
	"mode" text,
	"needs_other" boolean NOT NULL,
	"updated_by" uuid NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "approval_policy_tenant_id_capability_id_pk" PRIMARY KEY("tenant_id","capability_id")
);
--> statement-breakpoint
ALTER TABLE "approval_policy" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_requested_by_app_user_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_decided_by_app_user_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_tenant_id_run_id_run_tenant_id_id_fk" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."run"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_tenant_id_invocation_id_invocation_tenant_id_id_fk" FOREIGN KEY ("tenant_id","invocation_id") REFERENCES "public"."invocation"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_grant" ADD CONSTRAINT "approval_grant_granted_by_app_user_id_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_grant" ADD CONSTRAINT "approval_grant_revoked_by_app_user_id_fk" FOREIGN KEY ("revoked_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_grant" ADD CONSTRAINT "approval_grant_tenant_id_session_id_agent_session_tenant_id_id_fk" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."agent_session"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD CONSTRAINT "approval_policy_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD CONSTRAINT "approval_policy_updated_by_app_user_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approval_of_run" ON "approval" USING btree ("tenant_id","run_id");--> statement-breakpoint
CREATE UNIQUE INDEX "approval_open" ON "approval" USING btree ("tenant_id","invocation_id") WHERE state = 'OPEN';--> statement-breakpoint
CREATE INDEX "approval_due" ON "approval" USING btree ("expires_at") WHERE state = 'OPEN';--> statement-breakpoint
CREATE INDEX "approval_grant_of_session" ON "approval_grant" USING btree ("tenant_id","session_id") WHERE revoked_at is null;--> statement-breakpoint
CREATE POLICY "approval_tenant" ON "approval" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "approval_grant_tenant" ON "approval_grant" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "approval_policy_tenant" ON "approval_policy" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));