CREATE TABLE "mcp_server" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"transport" text NOT NULL,
	"url" text,
	"program" text,
	"auth" text NOT NULL,
	"header_names" text[] NOT NULL,
	"encrypted_headers" text,
	"key_id" text,
	"timeout_ms" integer NOT NULL,
	"is_enabled" boolean NOT NULL,
	"revision" integer NOT NULL,
	"state" text,
	"last_check" jsonb,
	"next_check_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_diff" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid,
	CONSTRAINT "mcp_server_tenantId_id_unique" UNIQUE("tenant_id","id"),
	CONSTRAINT "mcp_server_tenantId_name_unique" UNIQUE("tenant_id","name")
);
--> statement-breakpoint
ALTER TABLE "mcp_server" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "mcp_tool" (
	"tenant_id" uuid NOT NULL,
	"server_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"capability_name" text NOT NULL,
	"definition" jsonb NOT NULL,
	"hash" text NOT NULL,
	"pending_definition" jsonb,
	"pending_hash" text,
	"problem" text,
	"is_listed" boolean NOT NULL,
	"is_enabled" boolean NOT NULL,
	"side_effect" text NOT NULL,
	"idempotency" text NOT NULL,
	"accepted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mcp_tool_tenantId_id_unique" UNIQUE("tenant_id","id"),
	CONSTRAINT "mcp_tool_tenantId_serverId_name_unique" UNIQUE("tenant_id","server_id","name"),
	CONSTRAINT "mcp_tool_tenantId_serverId_capabilityName_unique" UNIQUE("tenant_id","server_id","capability_name")
);
--> statement-breakpoint
ALTER TABLE "mcp_tool" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "mcp_server" ADD CONSTRAINT "mcp_server_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_tool" ADD CONSTRAINT "mcp_tool_tenant_id_server_id_mcp_server_tenant_id_id_fk" FOREIGN KEY ("tenant_id","server_id") REFERENCES "public"."mcp_server"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mcp_server_due" ON "mcp_server" USING btree ("next_check_at") WHERE is_enabled;--> statement-breakpoint
CREATE POLICY "mcp_server_tenant" ON "mcp_server" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "mcp_tool_tenant" ON "mcp_tool" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));