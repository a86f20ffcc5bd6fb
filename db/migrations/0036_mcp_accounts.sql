CREATE TABLE "mcp_account" (
	"tenant_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"server_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"sign_in_hash" text,
	"encrypted_sign_in" text,
	"sign_in_key_id" text,
	"sign_in_expires_at" timestamp with time zone,
	"encrypted_tokens" text,
	"tokens_key_id" text,
	"expires_at" timestamp with time zone,
	"scope" text,
	"wanted_scope" text,
	"version" integer DEFAULT 0 NOT NULL,
	"renewing_until" timestamp with time zone,
	"is_lapsed" boolean DEFAULT false NOT NULL,
	"connected_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mcp_account_tenantId_id_unique" UNIQUE("tenant_id","id"),
	CONSTRAINT "mcp_account_tenantId_serverId_userId_unique" UNIQUE("tenant_id","server_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "mcp_account" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "mcp_server" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "mcp_server" ADD COLUMN "is_client_given" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_server" ADD COLUMN "encrypted_client" text;--> statement-breakpoint
ALTER TABLE "mcp_server" ADD COLUMN "client_key_id" text;--> statement-breakpoint
ALTER TABLE "mcp_server" ADD COLUMN "sign_in_scope" text;--> statement-breakpoint
ALTER TABLE "mcp_account" ADD CONSTRAINT "mcp_account_tenant_id_server_id_mcp_server_tenant_id_id_fk" FOREIGN KEY ("tenant_id","server_id") REFERENCES "public"."mcp_server"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_account" ADD CONSTRAINT "mcp_account_tenant_id_user_id_tenant_member_tenant_id_user_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."tenant_member"("tenant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "mcp_account_tenant" ON "mcp_account" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));