CREATE TABLE "model_price" (
	"tenant_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"price" jsonb,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	"set_by" uuid,
	CONSTRAINT "model_price_tenant_id_provider_id_valid_from_pk" PRIMARY KEY("tenant_id","provider_id","valid_from")
);
--> statement-breakpoint
ALTER TABLE "model_price" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "model_price" ADD CONSTRAINT "model_price_tenant_id_provider_id_model_provider_tenant_id_id_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."model_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- What was set counts from when it was set. The owner of a forced table sees no rows otherwise.
ALTER TABLE "model_provider" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
INSERT INTO "model_price" ("tenant_id", "provider_id", "valid_from", "price", "set_by")
SELECT "tenant_id", "id", coalesce("price_set_at", "created_at"), "price", "updated_by" FROM "model_provider" WHERE "price" IS NOT NULL AND "price" <> 'null'::jsonb;--> statement-breakpoint
ALTER TABLE "model_provider" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "model_provider" DROP COLUMN "price";--> statement-breakpoint
ALTER TABLE "model_provider" DROP COLUMN "price_set_at";--> statement-breakpoint
CREATE POLICY "model_price_tenant" ON "model_price" AS PERMISSIVE FOR ALL TO public USING (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)) WITH CHECK (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));