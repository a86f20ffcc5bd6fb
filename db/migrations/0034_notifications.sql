CREATE TABLE "notice" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"subject_id" uuid,
	"run_id" uuid,
	"user_id" uuid NOT NULL,
	"details" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"spread_at" timestamp with time zone,
	CONSTRAINT "notice_tenantId_id_unique" UNIQUE("tenant_id","id"),
	CONSTRAINT "notice_once" UNIQUE("tenant_id","key")
);
--> statement-breakpoint
ALTER TABLE "notice" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notice_attempt" (
	"tenant_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"ok" boolean NOT NULL,
	"status" integer,
	"detail" text NOT NULL,
	"duration_ms" integer NOT NULL,
	CONSTRAINT "notice_attempt_tenant_id_delivery_id_ordinal_pk" PRIMARY KEY("tenant_id","delivery_id","ordinal")
);
--> statement-breakpoint
ALTER TABLE "notice_attempt" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notice_delivery" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"notice_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"user_id" uuid,
	"state" text NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"attempt_limit" integer NOT NULL,
	"is_repeat" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"leased_until" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "notice_delivery_tenantId_id_unique" UNIQUE("tenant_id","id"),
	CONSTRAINT "notice_delivery_once" UNIQUE NULLS NOT DISTINCT("tenant_id","notice_id","channel","user_id")
);
--> statement-breakpoint
ALTER TABLE "notice_delivery" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notice_preference" (
	"tenant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"approvals" boolean NOT NULL,
	"questions" boolean NOT NULL,
	"budgets" boolean NOT NULL,
	CONSTRAINT "notice_preference_tenant_id_user_id_pk" PRIMARY KEY("tenant_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "notice_preference" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notice_webhook" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"kinds" text[] NOT NULL,
	"is_enabled" boolean NOT NULL,
	"encrypted_secret" text NOT NULL,
	"key_id" text NOT NULL,
	"earlier_secret" text,
	"earlier_key_id" text,
	"earlier_until" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid
);
--> statement-breakpoint
ALTER TABLE "notice_webhook" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_tenant_id_run_id_run_tenant_id_id_fk" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."run"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_attempt" ADD CONSTRAINT "notice_attempt_tenant_id_delivery_id_notice_delivery_tenant_id_id_fk" FOREIGN KEY ("tenant_id","delivery_id") REFERENCES "public"."notice_delivery"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_delivery" ADD CONSTRAINT "notice_delivery_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_delivery" ADD CONSTRAINT "notice_delivery_tenant_id_notice_id_notice_tenant_id_id_fk" FOREIGN KEY ("tenant_id","notice_id") REFERENCES "public"."notice"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_preference" ADD CONSTRAINT "notice_preference_member" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."tenant_member"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_webhook" ADD CONSTRAINT "notice_webhook_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_webhook" ADD CONSTRAINT "notice_webhook_updated_by_app_user_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notice_of_run" ON "notice" USING btree ("tenant_id","run_id");--> statement-breakpoint
CREATE INDEX "notice_unspread" ON "notice" USING btree ("id") WHERE spread_at is null;--> statement-breakpoint
CREATE INDEX "notice_age" ON "notice" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notice_delivery_log" ON "notice_delivery" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "notice_delivery_due" ON "notice_delivery" USING btree ("next_attempt_at") WHERE state = 'PENDING';--> statement-breakpoint
CREATE POLICY "notice_tenant" ON "notice" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "notice_attempt_tenant" ON "notice_attempt" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "notice_delivery_tenant" ON "notice_delivery" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "notice_preference_tenant" ON "notice_preference" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "notice_webhook_tenant" ON "notice_webhook" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));