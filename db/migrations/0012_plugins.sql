CREATE TABLE "plugin_operation" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"plugin_id" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"version" text NOT NULL,
	"permissions" text[] NOT NULL,
	"settings" jsonb NOT NULL,
	"secrets" jsonb NOT NULL,
	"done" jsonb NOT NULL,
	"documents" jsonb NOT NULL,
	"error" jsonb,
	"requested_by" uuid NOT NULL,
	"api_key_id" uuid,
	"claim" uuid NOT NULL,
	"claimed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "plugin_operation_tenantId_id_unique" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "plugin_operation" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "plugin_request" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"plugin_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"note" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plugin_request_tenantId_id_unique" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "plugin_request" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "plugin_settings_snapshot" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"plugin_id" text NOT NULL,
	"version" text NOT NULL,
	"settings" jsonb NOT NULL,
	"secrets" jsonb NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plugin_settings_snapshot_tenantId_id_unique" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "plugin_settings_snapshot" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "tenant_plugin_install" (
	"tenant_id" uuid NOT NULL,
	"plugin_id" text NOT NULL,
	"version" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"permissions" text[] NOT NULL,
	"settings" jsonb NOT NULL,
	"secrets" jsonb NOT NULL,
	"documents" jsonb NOT NULL,
	"installed_by" uuid NOT NULL,
	"installed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tenant_plugin_install_tenant_id_plugin_id_pk" PRIMARY KEY("tenant_id","plugin_id")
);
--> statement-breakpoint
ALTER TABLE "tenant_plugin_install" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "plugin_operation" ADD CONSTRAINT "plugin_operation_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugin_request" ADD CONSTRAINT "plugin_request_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugin_request" ADD CONSTRAINT "plugin_request_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugin_settings_snapshot" ADD CONSTRAINT "plugin_settings_snapshot_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant_plugin_install" ADD CONSTRAINT "tenant_plugin_install_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "plugin_operation_running" ON "plugin_operation" USING btree ("tenant_id","plugin_id") WHERE state = 'RUNNING';--> statement-breakpoint
CREATE INDEX "plugin_operation_latest" ON "plugin_operation" USING btree ("tenant_id","plugin_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "plugin_operation_open" ON "plugin_operation" USING btree ("claimed_at") WHERE state = 'RUNNING';--> statement-breakpoint
CREATE UNIQUE INDEX "plugin_request_open" ON "plugin_request" USING btree ("tenant_id","plugin_id","user_id") WHERE state = 'OPEN';--> statement-breakpoint
CREATE INDEX "plugin_request_list" ON "plugin_request" USING btree ("tenant_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "plugin_settings_snapshot_latest" ON "plugin_settings_snapshot" USING btree ("tenant_id","plugin_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE POLICY "plugin_operation_tenant" ON "plugin_operation" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "plugin_request_tenant" ON "plugin_request" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "plugin_settings_snapshot_tenant" ON "plugin_settings_snapshot" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "tenant_plugin_install_tenant" ON "tenant_plugin_install" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));