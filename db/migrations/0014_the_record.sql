CREATE TABLE "run_export" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"format" text NOT NULL,
	"has_bom" boolean NOT NULL,
	"run_id" uuid,
	"query" jsonb NOT NULL,
	"redaction" text NOT NULL,
	"file_name" text NOT NULL,
	"state" text NOT NULL,
	"last_run_id" uuid,
	"first_run_id" uuid,
	"run_count" integer DEFAULT 0 NOT NULL,
	"total_count" integer,
	"part_count" integer DEFAULT 0 NOT NULL,
	"byte_count" bigint DEFAULT 0 NOT NULL,
	"error_message" text,
	"epoch" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "run_export_tenantId_id_unique" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "run_export" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "run_export_part" (
	"tenant_id" uuid NOT NULL,
	"export_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "run_export_part_tenant_id_export_id_ordinal_pk" PRIMARY KEY("tenant_id","export_id","ordinal")
);
--> statement-breakpoint
ALTER TABLE "run_export_part" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "run_reveal" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "run_reveal_tenantId_id_unique" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "run_reveal" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "run_word" (
	"tenant_id" uuid NOT NULL,
	"token" text collate "C" NOT NULL,
	"run_id" uuid NOT NULL,
	CONSTRAINT "run_word_tenant_id_token_run_id_pk" PRIMARY KEY("tenant_id","token","run_id")
);
--> statement-breakpoint
ALTER TABLE "run_word" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP INDEX "audit_event_list";--> statement-breakpoint
DROP INDEX "run_list";--> statement-breakpoint
DROP INDEX "run_list_of_user";--> statement-breakpoint
DROP INDEX "run_list_of_session";--> statement-breakpoint
DROP INDEX "run_list_of_state";--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "duration_ms" bigint GENERATED ALWAYS AS (case when ended_at is not null then (extract(epoch from (ended_at - coalesce(started_at, created_at))) * 1000)::bigint end) STORED;--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "cost_micros" bigint;--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "cost_currency" text;--> statement-breakpoint
ALTER TABLE "run_export" ADD CONSTRAINT "run_export_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_export" ADD CONSTRAINT "run_export_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_export_part" ADD CONSTRAINT "run_export_part_tenant_id_export_id_run_export_tenant_id_id_fk" FOREIGN KEY ("tenant_id","export_id") REFERENCES "public"."run_export"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_reveal" ADD CONSTRAINT "run_reveal_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_reveal" ADD CONSTRAINT "run_reveal_tenant_id_run_id_run_tenant_id_id_fk" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."run"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_word" ADD CONSTRAINT "run_word_tenant_id_run_id_run_tenant_id_id_fk" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."run"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_export_of_person" ON "run_export" USING btree ("tenant_id","user_id","id");--> statement-breakpoint
CREATE INDEX "run_export_state" ON "run_export" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "run_reveal_of_person" ON "run_reveal" USING btree ("tenant_id","run_id","user_id","expires_at");--> statement-breakpoint
CREATE INDEX "run_word_run" ON "run_word" USING btree ("tenant_id","run_id","token");--> statement-breakpoint
CREATE INDEX "audit_event_list_of_type" ON "audit_event" USING btree ("tenant_id","type","id");--> statement-breakpoint
CREATE INDEX "audit_event_list_of_actor" ON "audit_event" USING btree ("tenant_id","actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_event_list_of_target" ON "audit_event" USING btree ("tenant_id","target_kind","target_id","id");--> statement-breakpoint
CREATE INDEX "run_filter" ON "run" USING btree ("tenant_id","id","state","preset","user_id","path","duration_ms","cost_micros","created_at");--> statement-breakpoint
CREATE INDEX "run_list_of_user" ON "run" USING btree ("tenant_id","user_id","id");--> statement-breakpoint
CREATE INDEX "run_list_of_session" ON "run" USING btree ("tenant_id","session_id","id");--> statement-breakpoint
CREATE INDEX "run_list_of_state" ON "run" USING btree ("tenant_id","state","id");--> statement-breakpoint
CREATE POLICY "run_export_tenant" ON "run_export" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "run_export_part_tenant" ON "run_export_part" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "run_reveal_tenant" ON "run_reveal" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "run_word_tenant" ON "run_word" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));