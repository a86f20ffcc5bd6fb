-- Read before a tenant is known, by the hash of what is presented. A program that has introduced itself is never changed.
grant select, insert, delete on oauth_client to bailiwick_app;
grant update (is_used) on oauth_client to bailiwick_app;
--> statement-breakpoint
grant select, insert, delete on oauth_code to bailiwick_app;
grant update (api_key_id) on oauth_code to bailiwick_app;
--> statement-breakpoint
grant select, insert, delete on oauth_refresh to bailiwick_app;
grant update (used_at) on oauth_refresh to bailiwick_app;
--> statement-breakpoint
-- A program's next access token takes the place of the last one.
grant update (hint, expires_at) on api_key to bailiwick_app;
