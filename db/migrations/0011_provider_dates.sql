ALTER TABLE "model_provider" ADD COLUMN "key_set_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "model_provider" ADD COLUMN "key_set_by" uuid;--> statement-breakpoint
ALTER TABLE "model_provider" ADD COLUMN "price_set_at" timestamp with time zone;